import { fuzzQueries } from '../support/nxql/fuzz.ts'

/** One text may take so long: the longest of them have some ten thousand characters. */
const toleratedMilliseconds = 500

/** Gives the query compiler random and changed queries. Gives whether each was understood, or refused at a place inside it. */
export function stressNxqlParser(texts: number, seed: number): boolean {
  console.log(`${texts} texts with seed ${seed}`)
  try {
    const { understood, refused, slowestMilliseconds } = fuzzQueries(texts, seed)
    const isQuick = slowestMilliseconds < toleratedMilliseconds
    const verdict = isQuick ? 'ok    ' : 'FAILED'
    console.log(`${verdict} ${understood} understood, ${refused} refused, the slowest in ${slowestMilliseconds.toFixed(1)} ms`)
    return isQuick
  } catch (error) {
    console.log(`FAILED ${error instanceof Error ? `${error.message}\n${error.cause}` : error}`)
    console.log(`To repeat: npm run stress -- nxql-parser --texts ${texts} --seed ${seed}`)
    return false
  }
}
