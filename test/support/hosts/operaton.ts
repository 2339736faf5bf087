/**
 * A real engine with the REST API of Camunda 7: Operaton in a Spring Boot application. Maven, which knows the user's
 * mirrors, builds it once.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '@perdure/lib/failure.js';
import { lock } from '../../../dev/lock.mjs';
import { freePort } from '../../../dev/ports.js';
import { startProgram } from '../../../dev/processes/child.js';
import { commandNotFound } from '../../../dev/processes/program.js';
import { runProgram } from '../../../dev/processes/run-program.js';
import { userCache } from '../../../dev/repository.js';
import { untilReady } from '../../../dev/waiting.js';

const OPERATON = '1.0.3';
const SPRING_BOOT = '3.5.4';
const START_TIMEOUT_MS = 600_000;

export interface Operaton {
  readonly url: string;
  call(method: string, path: string, body?: object): Promise<any>;
  deploy(...models: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** @param folder for its log */
export async function startOperaton(folder: string): Promise<Operaton> {
  const jar = await prepare();
  const port = await freePort();
  const logFile = join(folder, 'operaton.log');
  const child = startProgram(
    {
      command: 'java',
      arguments: ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', jar, `--server.port=${port}`],
      stopSignal: 'SIGTERM',
      stopWithinMilliseconds: 8_000,
    },
    { logFile },
  );
  const url = `http://127.0.0.1:${port}/engine-rest`;
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text.slice(0, 1000)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const probe = () => call('GET', '/engine').then(() => undefined);
  await untilReady({ name: 'Operaton', child, logFile, probe, withinMilliseconds: START_TIMEOUT_MS });
  return {
    url,
    call,
    async deploy(...models) {
      const form = new FormData();
      form.set('deployment-name', 'models');
      for (const [index, xml] of models.entries()) form.set(`m${index}`, new Blob([xml]), `m${index}.bpmn`);
      const response = await fetch(`${url}/deployment/create`, { method: 'POST', body: form });
      if (!response.ok) throw new Error(`Operaton refused the models: ${await response.text()}`);
    },
    stop: () => child.stop(),
  };
}

/** The path of the program in the user's cache, built if it is missing. */
async function prepare(): Promise<string> {
  const contents = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12);
  const jar = join(userCache(process.env), 'operaton', `${OPERATON}-${contents}.jar`);
  mkdirSync(dirname(jar), { recursive: true });
  const release = await lock(`${jar}.lock`, () => undefined);
  try {
    if (!existsSync(jar)) await build(jar);
    return jar;
  } finally {
    release();
  }
}

async function build(jar: string): Promise<void> {
  const draft = mkdtempSync(join(dirname(jar), 'draft-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(draft, path)), { recursive: true });
      writeFileSync(join(draft, path), text);
    }
    const { code, lastWords } = await runProgram({
      command: 'mvn',
      arguments: [
        '--batch-mode',
        '-Dstyle.color=never',
        '--quiet',
        'package',
        // A separate repository: the archives would stay in the user's repository indefinitely.
        `-Dmaven.repo.local=${join(draft, 'repository')}`,
      ],
      workingDirectory: draft,
      stopSignal: 'SIGTERM',
      stopWithinMilliseconds: 5_000,
    });
    if (code === commandNotFound)
      throw new Failure('Cannot build Operaton: there is no `mvn` command. Install Maven, and Java 17 or later.');
    if (code !== 0) throw new Failure(`Maven could not build Operaton: ${lastWords}`);
    renameSync(join(draft, 'target', 'engine-1.jar'), jar);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const dependency = (group: string, artifact: string, version = '') =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${version && `<version>${version}</version>`}</dependency>`;

const files = {
  'pom.xml': `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>${SPRING_BOOT}</version><relativePath/></parent>
  <groupId>test</groupId><artifactId>engine</artifactId><version>1</version>
  <properties><java.version>17</java.version></properties>
  <dependencies>
    ${dependency('org.operaton.bpm.springboot', 'operaton-bpm-spring-boot-starter-rest', OPERATON)}
    ${dependency('org.springframework.boot', 'spring-boot-starter-jdbc')}
    ${dependency('com.h2database', 'h2')}
  </dependencies>
  <build><plugins><plugin><groupId>org.springframework.boot</groupId><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build>
</project>
`,
  'src/main/java/test/Engine.java': `package test;

@org.springframework.boot.autoconfigure.SpringBootApplication
public class Engine {
  public static void main(String[] arguments) {
    org.springframework.boot.SpringApplication.run(Engine.class, arguments);
  }
}
`,
  'src/main/resources/application.yaml': `server.address: 127.0.0.1
spring.datasource: { url: "jdbc:h2:mem:engine;DB_CLOSE_DELAY=-1", username: sa, password: "" }
operaton.bpm.history-level: full
`,
};
