/** Whether a host takes connections at all: told apart from one that merely thinks for long before it answers. */

const LONGEST_MS = 5000;

/** Opens a connection and closes it again. Resolves false when it is refused, unknown, or not there within `withinMs`. */
export const canConnect = (url: string, withinMs: number): Promise<boolean> => {
  const { hostname, port, protocol } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, Math.min(withinMs, LONGEST_MS), false);
  const answer = (connected: boolean): void => {
    clearTimeout(timer);
    resolve(connected);
  };
  Bun.connect({
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    socket: {
      open(socket) {
        socket.end();
        answer(true);
      },
      connectError: () => answer(false),
      data: () => undefined,
    },
  }).catch(() => answer(false));
  return promise;
};
