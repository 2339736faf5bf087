# The host: API, console and worker in one image; PERDURE_ROLES says which of them a container runs.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /perdure
COPY package.json package-lock.json .npmrc ./
COPY packages packages
# A package below the viewer of forms would report what is installed here.
ENV IBM_TELEMETRY_DISABLED=true
# No package may run a script. The binaries of esbuild are packages of their own, and nothing else of the build needs one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The image contains what the host can load: no development issuer, benchmarks, or tests, and no webpack or swc.
RUN npm run build && node tools/image/assemble.mjs

FROM node:24.21.0-bookworm-slim
WORKDIR /perdure
# Times and texts inside workflows must not depend on where the host runs.
ENV NODE_ENV=production TZ=UTC LC_ALL=C.UTF-8 HOST=0.0.0.0
# Everything belongs to root and can be read by everybody, so any user can run it.
COPY --from=build --chmod=a+rX,go-w /perdure/image ./
# A number, because Kubernetes cannot tell of a name that it is not root.
USER 1000:0
EXPOSE 8080 9464
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "dist/host/main.js"]
