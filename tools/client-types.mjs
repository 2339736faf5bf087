/**
 * Generates the TypeScript types of an OpenAPI 3.1 document, in the shape that openapi-fetch reads (`paths`,
 * `operations`, `components`). The usual generator needs the compiler API of an older TypeScript in addition to the
 * current one. This one supports the JSON Schema keywords that the document uses and refuses all others, so that none
 * is lost silently.
 */

const banner = '/** Generated from the OpenAPI document by `npm run generate:client`. Do not edit. */';

/** Every error response has this form; naming it once keeps the types readable. */
const problemMediaType = 'application/problem+json';
const refusal = `export interface Refusal {
  headers: { [name: string]: unknown };
  content: { '${problemMediaType}': components['schemas']['Problem'] };
}`;

/** Another form of a list, on request. openapi-fetch would return the union of both, which no caller expects. */
const linesMediaType = 'application/x-ndjson';

/** Keywords that narrow a type in ways TypeScript cannot express. */
const unsaid = new Set([
  'description',
  'default',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
  'title',
  'examples',
  'deprecated',
  'uniqueItems',
  'multipleOf',
  'contentEncoding',
]);

/** The source text of the module. Throws for an unknown keyword, with its place in the document. */
export function clientTypes(document) {
  const { paths, components } = document;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return [
    banner,
    interfaceOf(
      'paths',
      Object.entries(paths).map(([path, item]) => member(path, pathItem(item))),
    ),
    interfaceOf(
      'operations',
      operations.map((operation) => member(operation.operationId, operationType(operation), false, comment(operation))),
    ),
    interfaceOf('components', [
      member(
        'schemas',
        block(
          Object.entries(components.schemas).map(([name, schema]) =>
            member(name, typeOf(schema, `schemas/${name}`), false, schema.description),
          ),
        ),
      ),
    ]),
    refusal,
    "/** The named schemas: `Schemas['UserTask']`. */\nexport type Schemas = components['schemas'];\n",
  ].join('\n\n');
}

function pathItem(item) {
  return block(
    Object.entries(item).map(([method, operation]) =>
      member(method, `operations[${quoted(operation.operationId)}]`, false, comment(operation)),
    ),
  );
}

function comment({ summary, 'x-required-role': role }) {
  return `${summary} Role: ${role}.`;
}

function operationType({ operationId, parameters = [], requestBody, responses }) {
  const kinds = ['query', 'header', 'path'].map((kind) =>
    parametersOf(
      parameters.filter((one) => one.in === kind),
      kind,
      operationId,
    ),
  );
  return block([
    member('parameters', block([...kinds, 'cookie?: never;'])),
    requestBody === undefined
      ? 'requestBody?: never;'
      : member(
          'requestBody',
          block([contentOf(requestBody.content, `${operationId}/requestBody`)]),
          !requestBody.required,
        ),
    member(
      'responses',
      block(Object.entries(responses).map(([status, answer]) => responseMember(status, answer, operationId))),
    ),
  ]);
}

function parametersOf(parameters, kind, operationId) {
  if (parameters.length === 0) return `${kind}?: never;`;
  const members = parameters.map(({ name, required, schema, description }) =>
    member(name, typeOf(schema, `${operationId}/${name}`), !required, description),
  );
  return member(
    kind,
    block(members),
    parameters.every(({ required }) => !required),
  );
}

function responseMember(status, { description, content }, operationId) {
  if (content?.[problemMediaType] !== undefined && content['application/json'] === undefined)
    return member(Number(status), 'Refusal');
  const body = content === undefined ? 'content?: never;' : contentOf(content, `${operationId}/${status}`);
  return member(Number(status), block(['headers: { [name: string]: unknown };', body]), false, description);
}

function contentOf(content, where) {
  return member(
    'content',
    block(
      Object.entries(content)
        .filter(([mediaType]) => mediaType !== linesMediaType)
        .map(([mediaType, { schema }]) => member(mediaType, typeOf(schema, where))),
    ),
  );
}

/** The TypeScript type of a schema. */
function typeOf(schema, where) {
  const known = {
    $ref: referenceType,
    anyOf: unionType,
    oneOf: unionType,
    allOf: intersectionType,
    enum: literals,
    const: literal,
    type: plainType,
  };
  const keyword = Object.keys(known).find((name) => schema[name] !== undefined);
  const used =
    keyword === 'type' ? ['type', 'items', 'properties', 'required', 'additionalProperties'] : ['type', keyword];
  const strange = Object.keys(schema).find((name) => !used.includes(name) && !unsaid.has(name));
  if (strange !== undefined)
    throw new Error(
      `${where}: the keyword ${strange} is not supported; add its TypeScript type to tools/client-types.mjs`,
    );
  return keyword === undefined ? 'unknown' : known[keyword](schema, where);
}

function referenceType({ $ref: reference }, where) {
  const name = /^#\/components\/schemas\/(.+)$/.exec(reference)?.[1];
  if (name === undefined) throw new Error(`${where}: ${reference} does not name a schema of the document`);
  return `components['schemas'][${quoted(name)}]`;
}

function unionType({ anyOf, oneOf }, where) {
  return [...new Set((anyOf ?? oneOf).map((one) => typeOf(one, where)))].join(' | ');
}

function intersectionType({ allOf }, where) {
  return allOf.map((one) => inBrackets(typeOf(one, where))).join(' & ');
}

function literals({ enum: values }) {
  return values.map(quoted).join(' | ');
}

function literal({ const: value }) {
  return quoted(value);
}

function plainType(schema, where) {
  if (Array.isArray(schema.type)) return schema.type.map((type) => plainType({ ...schema, type }, where)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array':
      return schema.items === undefined ? 'unknown[]' : `${inBrackets(typeOf(schema.items, `${where}[]`))}[]`;
    case 'object':
      return objectType(schema, where);
    default:
      throw new Error(`${where}: ${JSON.stringify(schema.type)} is not a JSON type`);
  }
}

function objectType({ properties = {}, required = [], additionalProperties }, where) {
  const named = Object.entries(properties).map(([name, schema]) =>
    member(name, typeOf(schema, `${where}.${name}`), !required.includes(name), schema.description),
  );
  const isClosed = additionalProperties === false || (additionalProperties === undefined && named.length > 0);
  if (isClosed) return named.length === 0 ? '{ [name: string]: never }' : block(named);
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties, `${where}.*`) : 'unknown';
  const open = `{ [name: string]: ${others} }`;
  return named.length === 0 ? open : `${block(named)} & ${open}`;
}

function inBrackets(type) {
  return / [|&] /.test(type) ? `(${type})` : type;
}

function interfaceOf(name, members) {
  return `export interface ${name} ${block(members)}`;
}

function block(members) {
  return `{\n${members.join('\n').replaceAll(/^(?=.)/gm, '  ')}\n}`;
}

function member(name, type, isOptional = false, description = undefined) {
  const key = typeof name === 'number' || /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
  const comments =
    description === undefined ? '' : `/** ${description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;
  return `${comments}${key}${isOptional ? '?' : ''}: ${type};`;
}

function quoted(value) {
  return typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}
