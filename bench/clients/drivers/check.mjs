/** What the JavaScript drivers share: named checks, one line each, exit code 1 when one failed. */

export const { BASE_URL, KEY } = process.env;

let failures = 0;

export const check = async (name, work) => {
  try {
    await work();
    console.log(`ok    ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAIL  ${name}: ${error?.stack ?? error}`);
  }
};

export const equal = (given, wanted) => {
  const [left, right] = [JSON.stringify(given), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${left} is not ${right}`);
};

export const rejects = async (work, fits) => {
  try {
    await work();
  } catch (error) {
    if (!fits(error)) throw error;
    return;
  }
  throw new Error("It was answered.");
};

export const finish = () => process.exit(failures === 0 ? 0 : 1);
