# syntax=docker/dockerfile:1
# docker build -t signalbox .
# docker run -d -p 8484:8484 -v signalbox:/data -e SIGNALBOX_ADMIN_PASSWORD=… -e OPENAI_API_KEY=… signalbox
# docker logs signalbox      (the first start prints the keys once)

FROM --platform=$BUILDPLATFORM oven/bun:1.4.4 AS build
ARG TARGETARCH
WORKDIR /signalbox
COPY package.json bun.lock tsconfig.json ./
RUN bun install --frozen-lockfile --production
COPY release release
COPY src src
RUN case "$TARGETARCH" in arm64) target=linux-arm64 ;; *) target=linux-x64 ;; esac \
 && bun run release/build.ts "$target" \
 && mv "dist/signalbox-$target" /signalbox/program \
 && mkdir /empty

# glibc and nothing else: no shell, no package manager.
FROM gcr.io/distroless/base-debian12:nonroot
COPY --from=build --chown=nonroot:nonroot /empty /data
COPY --from=build /signalbox/program /usr/local/bin/signalbox
COPY LICENSE /usr/share/doc/signalbox/LICENSE
# Outside of this container 8484 is public, so a start without SIGNALBOX_ADMIN_PASSWORD (or one set before) is refused.
ENV HOST=0.0.0.0 \
    PORT=8484 \
    SIGNALBOX_DB=/data/signalbox.db
WORKDIR /data
VOLUME /data
EXPOSE 8484
USER nonroot
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["/usr/local/bin/signalbox", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/signalbox"]
CMD ["serve"]
