# The program as an image: one static binary and its model, no shell, no other file of a system.
#
#   docker build -t veridic .                                                compiles the program (ten minutes on two cores)
#   docker build -t veridic --build-context build=FOLDER .                   takes FOLDER/veridic, a static binary, instead
#
# docs/how-to/docker.md says how to use it. The release workflow builds it the second way, from the binaries of the archives.

# Programs that are made on Alpine, for musl, are static.
FROM rust:1.95-alpine AS build
RUN apk add --no-cache build-base
WORKDIR /source
COPY . .
RUN cargo build --release --locked -p veridic-cli --features mcp --bin veridic && mv target/release/veridic /veridic

FROM scratch
COPY --from=build --chmod=755 /veridic /usr/bin/veridic
COPY models/weights/base /usr/share/veridic/models/base
COPY LICENSE-MIT LICENSE-APACHE /usr/share/veridic/
USER 65532:65532
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["/usr/bin/veridic", "serve", "--probe", "--listen", "0.0.0.0:8080"]
ENTRYPOINT ["/usr/bin/veridic"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
