# Roundtable as a container: `docker build -t roundtable .`, for linux/amd64 and linux/arm64.
# The pages and the package are built once on the builder's own platform; nothing in them depends on the processor.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/build.ts && node scripts/package.ts /build/out

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY --from=build /build/out/*.tgz /tmp/
RUN npm install --omit=dev --no-audit --no-fund /tmp/roundtable-*.tgz

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Roundtable" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
    ROUNDTABLE_DATA=/data \
    ROUNDTABLE_CACHE=/data/cache \
    PORT=4317
WORKDIR /app
COPY --from=install /app ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4317
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/roundtable/dist/main/main.js"]
CMD ["serve", "--host", "0.0.0.0"]
