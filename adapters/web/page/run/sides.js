// The files of an answer that compares two models.

/** The files of an answer: those of either side of a comparison, and those in `common`.
 * @param {any} answer */
export function sides(answer) {
  const files = answer?.files ?? [];
  if (!answer?.comparison) return { common: files, first: [], second: [] };
  const of = (letter) => files.filter(({ name, alt }) => name.startsWith(`${letter}-`) && alt.startsWith(`${letter}: `));
  const [first, second] = [of("A"), of("B")];
  return { common: files.filter((file) => !first.includes(file) && !second.includes(file)), first, second };
}
