/**
 * The browser's files: bundled from `web/` — by the release build inside the executable, by Bun at the first request in a
 * checkout — compressed once, and named by their content, so that browsers may keep them for good.
 */

import { basename } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import page from "./web/index.html";

type Asset = { bytes: Uint8Array<ArrayBuffer>; brotli?: Uint8Array<ArrayBuffer>; gzip?: Uint8Array<ArrayBuffer>; type: string };
export type Assets = { html: string; files: ReadonlyMap<string, Asset> };

const ASSET_PATH = "/dashboard/assets/";

/** What importing an HTML file yields inside an executable. */
type Bundle = { index: string; files?: { path: string; headers: Record<string, string> }[] };

export const loadAssets = async (basePath: string): Promise<Assets> => {
  const bundle = page as unknown as Bundle;
  const found = bundle.files === undefined ? await bundleNow(bundle.index) : await readBundled(bundle.files);
  const files = new Map<string, Asset>();
  let html = "";
  for (const { name, bytes, type } of found) {
    if (type.startsWith("text/html")) html = new TextDecoder().decode(bytes);
    else files.set(name, compress(bytes, type));
  }
  const base = basePath.replaceAll("&", "&amp;");
  // By functions, because a path may contain `$`.
  const placed = html
    .replace(
      /(href|src)="[./]*(?:[^":]*\/)?([^"/:]+\.(?:js|css|svg))"/g,
      (_, name, file) => `${name}="${base}${ASSET_PATH}${file}"`,
    )
    .replace("<html", (tag) => `${tag} data-base-path="${base}"`);
  return { html: placed, files };
};

type Found = { name: string; bytes: Uint8Array<ArrayBuffer>; type: string };

const readBundled = (files: NonNullable<Bundle["files"]>): Promise<Found[]> =>
  Promise.all(
    files.map(async ({ path, headers }) => ({
      name: basename(path),
      bytes: await Bun.file(path).bytes(),
      type: headers["content-type"] ?? "application/octet-stream",
    })),
  );

const bundleNow = async (entry: string): Promise<Found[]> => {
  const { outputs } = await Bun.build({ entrypoints: [entry], minify: true, define: { "process.env.NODE_ENV": '"production"' } });
  return Promise.all(
    outputs.map(async (output) => ({
      name: basename(output.path),
      bytes: new Uint8Array(await output.arrayBuffer()),
      type: output.type,
    })),
  );
};

const compress = (bytes: Uint8Array<ArrayBuffer>, type: string): Asset => {
  if (bytes.length < 512) return { bytes, type };
  return {
    bytes,
    type,
    brotli: new Uint8Array(brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
    gzip: new Uint8Array(gzipSync(bytes, { level: 9 })),
  };
};

/** Undefined if there is no such file. */
export const assetResponse = (assets: Assets, name: string, request: Request): Response | undefined => {
  const asset = assets.files.get(name);
  if (asset === undefined) return undefined;
  const accepted = request.headers.get("accept-encoding") ?? "";
  const encoding = asset.brotli && /\bbr\b/.test(accepted) ? "br" : asset.gzip && /\bgzip\b/.test(accepted) ? "gzip" : undefined;
  return new Response(encoding === "br" ? asset.brotli : encoding === "gzip" ? asset.gzip : asset.bytes, {
    headers: {
      "content-type": asset.type,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
      ...(encoding !== undefined && { "content-encoding": encoding }),
    },
  });
};
