/** The licences of all parts as one text; many ask to be passed on in full. */

import type { Part } from "./list-parts.ts";

const RULE = "=".repeat(100);

export const licenceNotices = (parts: Part[]): string =>
  [
    "Signalbox is licensed under the Apache License 2.0 (see LICENSE). Its executables contain these parts made by others:",
    parts.map(({ name, version, licence }) => `  ${name} ${version}: ${licence}`).join("\n"),
    ...parts.map(({ name, version, licence, url, text }) => `${RULE}\n${name} ${version} (${licence})\n${url}\n\n${text.trim()}`),
    "",
  ].join("\n\n");
