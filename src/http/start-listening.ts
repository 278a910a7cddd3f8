import type { AddressInfo, Server } from 'node:net'

/** How many may wait to be accepted. Of those beyond it each has to knock again after a second or more; Node's own 511 is soon full. */
const backlog = 4_096

export function startListening(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog }, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo) // a port was asked for, not a pipe
    })
  })
}
