/** The bill of materials in CycloneDX 1.6, for those who must know what runs on their machines. */

import type { Part } from "./list-parts.ts";

export const billOfMaterials = (parts: Part[], version: string) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    component: {
      type: "application",
      "bom-ref": `signalbox@${version}`,
      name: "signalbox",
      version,
      licenses: [{ license: { id: "Apache-2.0" } }],
    },
  },
  components: parts.map(toComponent),
  dependencies: [{ ref: `signalbox@${version}`, dependsOn: parts.map(refOf) }],
});

const refOf = ({ name, version }: Part): string => `${name}@${version}`;

const toComponent = (part: Part) => ({
  type: part.name === "all-MiniLM-L6-v2" ? "machine-learning-model" : part.name === "bun" ? "platform" : "library",
  "bom-ref": refOf(part),
  name: part.name,
  version: part.version,
  licenses: / (?:AND|OR) /.test(part.licence) ? [{ expression: part.licence }] : [{ license: { id: part.licence } }],
  externalReferences: [{ type: "website", url: part.url }],
  ...(part.npm && { purl: `pkg:npm/${part.name.replace("@", "%40")}@${part.version}` }),
  ...(part.sha512 !== undefined && { hashes: [{ alg: "SHA-512", content: part.sha512 }] }),
});
