import { defineProblem } from '../../base/problem.ts'

export const cannotListen = defineProblem(
  'cannotListen',
  'unavailable',
  (wanted: { host: string; port: number; reason: string }) => `cannot listen on ${wanted.host}:${wanted.port}: ${wanted.reason}`,
)

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there already; choose another port, or --port=0 for any free one',
  EACCES: 'this user may not use that port; choose one above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address; choose another --host',
  ENOTFOUND: 'there is no such host; choose another --host',
}

/** Puts the system's refusal of an address into words; any other error stays what it is. */
export function explainListenError(error: unknown, wanted: { host: string; port: number }): unknown {
  if (!isSystemError(error) || !['listen', 'bind', 'getaddrinfo'].includes(error.syscall)) return error
  const reason = reasons[error.code]
  if (reason === undefined) return error
  // A server may have a second port, for those who look after it.
  const { host, port } = isElsewhere(error, wanted) ? { host: error.address, port: error.port } : wanted
  return cannotListen({ host, port, reason }, { cause: error })
}

function isElsewhere(error: Error, wanted: { port: number }): error is Error & { address: string; port: number } {
  return 'address' in error && 'port' in error && error.port !== wanted.port
}

function isSystemError(error: unknown): error is Error & { code: string; syscall: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
