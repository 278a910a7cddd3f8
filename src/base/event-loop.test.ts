import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { createYieldPoint, yieldToEventLoop } from './event-loop.ts'

test('who yields lets in what has come meanwhile, also from within what a round was woken for', async (context) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [waking, other] = [await connectedPair(server, port), await connectedPair(server, port)]
  const seen: string[] = []
  other.near.on('data', () => seen.push('other'))
  const done = once(waking.near, 'data').then(async () => {
    other.far.write('x')
    await yieldToEventLoop()
    seen.push('went on')
  })
  waking.far.write('x')
  context.after(() => {
    waking.far.destroy()
    other.far.destroy()
    server.close()
  })
  await done
  assert.deepEqual(seen, ['other', 'went on'])
})

async function connectedPair(server: Server, port: number) {
  const far = connect(port, '127.0.0.1')
  const [near] = (await once(server, 'connection')) as [Socket]
  return { near, far }
}

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('pieces of work that share a yield point go on in rounds of their own, so that others come between any two', async () => {
  const yieldPoint = createYieldPoint()
  let rounds = 0
  let isDone = false
  const others = () => {
    rounds += 1
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  work(20)
  const wentOnAt = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await yieldPoint()
      work(5)
      return rounds
    }),
  )
  isDone = true
  assert.equal(new Set(wentOnAt).size, 5)
})

test('a yield point does not delay short work', () => assert.equal(createYieldPoint()(), undefined))
