import { yieldToEventLoop } from './event-loop.ts'

const atOnce = 500

/** What each becomes, some hundreds at once: others have their turn between those, however many there are. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let first = 0; first < items.length; first += atOnce) {
    if (first > 0) await yieldToEventLoop()
    results.push(...(await Promise.all(items.slice(first, first + atOnce).map(map))))
  }
  return results
}
