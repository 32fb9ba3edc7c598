/** A small fenced code block in the requested language, named after what it is to do. */

const camel = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
const snake = (words: readonly string[]): string => words.join("_");

type Template = [cue: RegExp, fence: string, join: (words: readonly string[]) => string, body: (name: string) => string];

// biome-ignore format: a table
const TEMPLATES: readonly Template[] = [
  [/\b(?:typescript|ts)\b/i, "typescript", camel, (name) => `export function ${name}(input: string): string {\n  return input.trim();\n}`],
  [/\b(?:javascript|js|node|react)\b/i, "javascript", camel, (name) => `function ${name}(input) {\n  return input;\n}\n\nconsole.log(${name}("example"));`],
  [/\b(?:sql|query|postgres|mysql|sqlite)\b/i, "sql", snake, (name) => `SELECT id, name\nFROM ${name}\nWHERE id IS NOT NULL\nORDER BY id;`],
  [/\b(?:bash|shell|sh)\b/i, "bash", snake, (name) => `${name}() {\n  printf '%s\\n' "$1"\n}\n\n${name} "example"`],
  [/\b(?:go|golang)\b/i, "go", camel, (name) => `func ${name}(input string) string {\n\treturn input\n}`],
  [/\brust\b/i, "rust", snake, (name) => `fn ${name}(input: &str) -> String {\n    input.to_string()\n}`],
  [/\bjava\b/i, "java", camel, (name) => `static String ${name}(String input) {\n    return input;\n}`],
  [/\b(?:html|css)\b/i, "html", snake, (name) => `<section id="${name}">\n  <h1>Example</h1>\n</section>`],
  [/^/, "python", snake, (name) => `def ${name}(value):\n    """Return the value unchanged."""\n    return value\n\n\nprint(${name}("example"))`],
];

/** Words of a coding request that name no subject. */
const NOISE = new Set(
  (
    "a an the to of for in on with that this it is are and or me my us please can could you write code function script program implement create make " +
    "generate give show fix refactor debug help return returns returning using use simple short small example method class given takes take which " +
    "python javascript typescript java sql bash shell rust golang go html css node react query"
  ).split(" "),
);

export function writeCode(instruction: string): string {
  const [, fence, join, body] = TEMPLATES.find(([cue]) => cue.test(instruction))!;
  const words = (instruction.toLowerCase().match(/[a-z]{2,20}/g) ?? []).filter((word) => !NOISE.has(word));
  const name = join(words.length > 0 ? words.slice(0, 3) : ["example"]);
  return `\`\`\`${fence}\n${body(name)}\n\`\`\`\n\nThis is a sandbox sketch: the name and shape fit the request, the body is the plainest that runs.`;
}
