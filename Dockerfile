# Tessera as an image: `docker build -t tessera .`
# The steps of the first stage run in test/survival/image.test.ts, too, without Docker.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY bin bin
COPY console/package.json console/
COPY packages/client/package.json packages/client/
COPY packages/react/package.json packages/react/
COPY packages/webhooks/package.json packages/webhooks/
COPY packages/widgets/package.json packages/widgets/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run --silent build
RUN npm run --silent prune
# Only its owner could read it, and an image has a database server.
RUN rm -rf src/generated/empty-database

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node -m 700 /data
COPY --from=build /app/package.json /app/schema.graphql /app/openapi.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/bin bin
COPY --from=build /app/packages packages
COPY --from=build /app/prisma prisma
COPY --from=build /app/docs docs
COPY --from=build /app/src src
USER node
EXPOSE 4000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=1024", "src/main.js"]
