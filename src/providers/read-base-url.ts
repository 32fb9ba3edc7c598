/** The address of a server, as its setting has it. */

import type { ProviderEntry } from "../catalog/model.ts";
import { isAddress, wrongUrl } from "../config/read-setting.ts";

/** Local servers and search engines that ask for no key. */
export const isKeyless = (known: ProviderEntry | undefined): boolean =>
  known?.dialect === "ollama" || known?.keyVariables.length === 0;

/** Throws SettingError, naming the `setting`. */
export const readBaseUrl = (setting: string, given: string, known: ProviderEntry | undefined): string => {
  const url = known?.dialect === "ollama" ? ollamaUrl(given) : isKeyless(known) ? withScheme(given) : given;
  if (isAddress(url)) return url.replace(/\/+$/, "").replace(ENDPOINT, "");
  throw wrongUrl(setting, given);
};

/** Vendors often print the whole address of an endpoint; its path is put behind the base here. Azure has a base that ends in `/models`. */
const ENDPOINT = /\/(?:chat\/completions|responses|messages|embeddings|rerank|api\/chat)$/;

const OLLAMA_PORT = "11434";

/**
 * Parses `OLLAMA_HOST` as Ollama does: scheme, host and port are each optional. The address on which its server listens to all (0.0.0.0)
 * becomes this machine's own.
 */
const ollamaUrl = (given: string): string => {
  const text = given.trim();
  const found = /^(?:(https?):\/\/)?(\[[\da-f:.]*\]|[^\s:/[\]]*)(?::(\d*))?(\/(?!\/).*)?$/i.exec(text);
  if (found === null) return text;
  const [, scheme, host = "", port, path = ""] = found;
  const name = ["", "0.0.0.0", "[::]"].includes(host) ? "127.0.0.1" : host;
  const at = port || (scheme === undefined ? OLLAMA_PORT : "");
  return `${scheme?.toLowerCase() ?? "http"}://${name}${at && `:${at}`}${path}`;
};

const withScheme = (url: string): string => (/^https?:\/\//.test(url) ? url : `http://${url}`);
