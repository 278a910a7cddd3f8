// Reads documents one after another over one connection, for as many milliseconds as its parent says, and tells how long each took.
import { latenciesOf } from '../search/heavy-query/latencies.ts'
import { createHttpClient } from './http-client.ts'

const [url = ''] = process.argv.slice(2)
const client = createHttpClient(url, 1)
let ids: readonly string[] = []
let next = 0

process.on('message', async (order: readonly string[] | number) => {
  if (typeof order === 'number') process.send?.(await latenciesOf(lookUp, order))
  else ids = order
})
process.on('disconnect', () => process.exit())

function lookUp(): Promise<void> {
  next = (next + 7_919) % ids.length
  return client.send({ method: 'GET', path: `/api/v1/id/${ids[next]}`, user: 'Administrator' })
}
