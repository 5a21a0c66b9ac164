# The data service and the app as an image: see docs/operations.md.
#   docker build -t sightglass .
#   docker run -p 8080:8080 -v sightglass-data:/data --stop-timeout 40 sightglass

FROM node:24-bookworm-slim AS build
WORKDIR /sightglass
COPY . .
RUN npm ci && npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
WORKDIR /sightglass
ENV NODE_ENV=production
COPY --from=build /sightglass/package.json /sightglass/LICENSE /sightglass/ATTRIBUTION.md ./
COPY --from=build /sightglass/bin bin
COPY --from=build /sightglass/build/cli build/cli
COPY --from=build /sightglass/build/pixels.wasm build/
COPY --from=build /sightglass/dist dist
COPY --from=build /sightglass/public/fonts public/fonts
COPY --from=build /sightglass/node_modules node_modules
RUN ln -s /sightglass/bin/sightglass.js /usr/local/bin/sightglass && install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8080
# The health check asks wherever the server of /data listens, over TLS too.
# It writes one JSON object a line to stderr, and answers SIGTERM by finishing what is under way.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["sightglass", "health", "--data", "/data"]
ENTRYPOINT ["sightglass"]
CMD ["serve", "--data", "/data", "--host", "0.0.0.0"]
