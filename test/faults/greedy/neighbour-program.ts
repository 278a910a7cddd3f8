// Reads one document over and over, as somebody who shares the server would, and tells its parent the longest wait since it was asked before.
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const [url = '', authorization = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longest = 0
let started = performance.now()

process.on('message', () => {
  process.send?.(Math.max(longest, performance.now() - started))
  longest = 0
})
process.on('disconnect', () => process.exit())

for (;;) {
  started = performance.now()
  await read()
  longest = Math.max(longest, performance.now() - started)
  await pause(25)
  started = performance.now()
}

function read(): Promise<void> {
  return new Promise((resolve) => {
    const request = get(url, { agent, headers: { authorization } }, (response) => {
      response.resume()
      response.once('close', resolve)
    })
    request.once('error', () => setTimeout(resolve, 20)) // the parent sees by itself that the server is gone
  })
}
