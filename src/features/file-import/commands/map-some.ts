/** Does the same to all, only so many at a time, and gives the results in the order of what they are of. */
export async function mapSome<One, Result>(
  all: readonly One[],
  atOnce: number,
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(all.length)
  const queue = all.entries()
  const takeTurns = async () => {
    for (const [index, one] of queue) results[index] = await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, takeTurns))
  return results
}
