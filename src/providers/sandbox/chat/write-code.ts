/** A small fenced code block in the requested language, named after what it is to do. */

type Template = { fence: string; body(name: string): string };

const camel = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
const snake = (words: readonly string[]): string => words.join("_");

const TEMPLATES: readonly [cue: RegExp, template: Template & { join(words: readonly string[]): string }][] = [
  [
    /\b(?:typescript|ts)\b/i,
    {
      fence: "typescript",
      join: camel,
      body: (name) => `export function ${name}(input: string): string {\n  return input.trim();\n}`,
    },
  ],
  [
    /\b(?:javascript|js|node|react)\b/i,
    {
      fence: "javascript",
      join: camel,
      body: (name) => `function ${name}(input) {\n  return input;\n}\n\nconsole.log(${name}("example"));`,
    },
  ],
  [
    /\b(?:sql|query|postgres|mysql|sqlite)\b/i,
    { fence: "sql", join: snake, body: (name) => `SELECT id, name\nFROM ${name}\nWHERE id IS NOT NULL\nORDER BY id;` },
  ],
  [
    /\b(?:bash|shell|sh)\b/i,
    { fence: "bash", join: snake, body: (name) => `${name}() {\n  printf '%s\\n' "$1"\n}\n\n${name} "example"` },
  ],
  [/\b(?:go|golang)\b/i, { fence: "go", join: camel, body: (name) => `func ${name}(input string) string {\n\treturn input\n}` }],
  [/\brust\b/i, { fence: "rust", join: snake, body: (name) => `fn ${name}(input: &str) -> String {\n    input.to_string()\n}` }],
  [/\bjava\b/i, { fence: "java", join: camel, body: (name) => `static String ${name}(String input) {\n    return input;\n}` }],
  [/\b(?:html|css)\b/i, { fence: "html", join: snake, body: (name) => `<section id="${name}">\n  <h1>Example</h1>\n</section>` }],
];

const PYTHON = {
  fence: "python",
  join: snake,
  body: (name: string) =>
    `def ${name}(value):\n    """Return the value unchanged."""\n    return value\n\n\nprint(${name}("example"))`,
};

/** Words of a coding request that name no subject. */
const NOISE = new Set(
  (
    "a an the to of for in on with that this it is are and or me my us please can could you write code function script program implement create make " +
    "generate give show fix refactor debug help return returns returning using use simple short small example method class given takes take which " +
    "python javascript typescript java sql bash shell rust golang go html css node react query"
  ).split(" "),
);

export function writeCode(instruction: string): string {
  const template = TEMPLATES.find(([cue]) => cue.test(instruction))?.[1] ?? PYTHON;
  const words = (instruction.toLowerCase().match(/[a-z]{2,20}/g) ?? []).filter((word) => !NOISE.has(word));
  const name = template.join(words.length > 0 ? words.slice(0, 3) : ["example"]);
  return `\`\`\`${template.fence}\n${template.body(name)}\n\`\`\`\n\nThis is a sandbox sketch: the name and shape fit the request, the body is the plainest that runs.`;
}
