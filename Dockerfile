# The host: API, console and worker in one image; PERDURE_ROLES says which of them a container runs.
FROM node:20.20.2-bookworm-slim AS build
WORKDIR /perdure
COPY package.json package-lock.json .npmrc ./
# A package below the viewer of forms would report what is installed here.
ENV IBM_TELEMETRY_DISABLED=true
RUN npm ci --no-audit --no-fund
COPY . .
# The image contains what the host imports: no development issuer, benchmarks, or tests. Temporal's SDK brings its core for
# every platform; the others would be a third of what this adds to its base.
RUN npm run build && npx tsc -p tsconfig.image.json && node tools/packages/place.mjs image && cp -r dist/console dist/workflow-bundle.js image/ \
  && npm ci --omit=dev --workspaces=false --no-audit --no-fund \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM node:20.20.2-bookworm-slim
WORKDIR /perdure
# Times and texts inside workflows must not depend on where the host runs.
ENV NODE_ENV=production TZ=UTC LC_ALL=C.UTF-8 HOST=0.0.0.0
COPY --from=build /perdure/package.json /perdure/LICENSE ./
COPY --from=build /perdure/node_modules node_modules
COPY --from=build /perdure/image dist
COPY --from=build /perdure/store/migrations store/migrations
USER node
EXPOSE 8080 9464
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "dist/host/main.js"]
