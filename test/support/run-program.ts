/** Signalbox as a program of its own: run to its end, or started as a server whose first words are read. */

type Ran = { code: number; stdout: string; stderr: string };
type RunOptions = { cwd: string; env?: Record<string, string>; stdin?: string };

/** Nothing of this process's environment: no key, no setting, no PATH. */
export const bareEnvironment = { PATH: "/nonexistent", OLLAMA_HOST: "127.0.0.1:1", LOG_LEVEL: "error" };

export const runProgram = async (command: string[], { cwd, env = {}, stdin = "" }: RunOptions): Promise<Ran> => {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...bareEnvironment, ...env },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
};

export type RunningProgram = {
  url: string;
  /** What it printed until it was ready. */
  words: string;
  pid: number;
  /** Sends the signal and resolves with the exit code. */
  end(signal?: "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGCONT" | "SIGKILL"): Promise<number>;
  /** Resolves at its end with what it printed after `words`, and its log. */
  output(): Promise<string>;
};

/** Resolves once the dashboard's line is printed, the last of a start; rejects where the program ends before. */
export const startProgram = async (command: string[], { cwd, env = {} }: RunOptions): Promise<RunningProgram> => {
  const child = Bun.spawn(command, { cwd, env: { ...bareEnvironment, ...env }, stdout: "pipe", stderr: "pipe" });
  const log = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let words = "";
  while (!/\/dashboard\S*\n/.test(words)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The program ended: ${words}${await log}`);
    words += value;
  }
  // Read all the time, because a program whose output nobody takes waits.
  const rest = (async () => {
    let text = "";
    for (let step = await reader.read(); !step.done; step = await reader.read()) text += step.value;
    return text;
  })();
  return {
    url: /listens on (\S+)/.exec(words)![1]!,
    words,
    pid: child.pid,
    end: (signal = "SIGTERM") => {
      child.kill(signal);
      return child.exited;
    },
    output: async () => `${await rest}\n${await log}`,
  };
};
