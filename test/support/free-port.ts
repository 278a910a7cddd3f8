import { once } from 'node:events'
import { createServer } from 'node:net'

/** For a program that cannot choose one itself. Nothing keeps it free: whoever else asks the system next gets another, as a rule. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('The system gave no free port')
  return address.port
}
