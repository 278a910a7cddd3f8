/** Bytes that are no request, or not quite one. The answer is 400 where there is one; otherwise the connection is closed. */
export interface HostileBytes {
  readonly what: string
  readonly bytes: string
  /** The answer of a server that makes something of it after all. */
  readonly status?: number
  /** Whether the client sends no more and says so. */
  readonly thenEnd?: boolean
}

const host = 'Host: localhost\r\n'
const target = '/api/v1/path/default-domain/workspaces'
const credentials = `Authorization: Basic ${Buffer.from('Administrator:Administrator').toString('base64')}\r\n`
const body = '{"entity-type":"document","type":"File","name":"hostile"}'

const get = (headers: string) => `GET ${target} HTTP/1.1\r\n${host}${credentials}${headers}\r\n`
const post = (headers: string, content: string) =>
  `POST ${target} HTTP/1.1\r\n${host}${credentials}Content-Type: application/json\r\n${headers}\r\n${content}`
const chunked = (content: string) => post('Transfer-Encoding: chunked\r\n', content)

const smuggled = post(`Content-Length: ${body.length}\r\n`, body)

export const hostileBytes: readonly HostileBytes[] = [
  { what: 'zeros', bytes: '\0\0\0\0\r\n\r\n' },
  { what: 'the greeting of TLS', bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' },
  { what: 'the greeting of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { what: 'a request line without an address', bytes: 'GET\r\n\r\n' },
  { what: 'a request line of an old time', bytes: 'GET /\r\n\r\n', status: 404 },
  { what: 'a version that does not exist', bytes: `GET ${target} HTTP/9.9\r\n${host}\r\n` },
  { what: 'an unknown method', bytes: `FETCH ${target} HTTP/1.1\r\n${host}\r\n` },
  { what: 'a method in small letters', bytes: `get ${target} HTTP/1.1\r\n${host}\r\n` },
  { what: 'an asterisk for an address', bytes: `GET * HTTP/1.1\r\n${host}${credentials}Connection: close\r\n\r\n`, status: 404 },
  { what: 'CONNECT', bytes: 'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n' },
  { what: 'no Host', bytes: `GET ${target} HTTP/1.1\r\n${credentials}\r\n` },
  { what: 'a NUL in the address', bytes: `GET ${target}/\0 HTTP/1.1\r\n${host}\r\n` },
  { what: 'a blank in the address', bytes: `GET ${target}/a b HTTP/1.1\r\n${host}\r\n` },
  { what: 'a line break in the address', bytes: `GET ${target}/a\nb HTTP/1.1\r\n${host}\r\n` },
  { what: 'a header without a colon', bytes: get('X-Broken\r\n') },
  { what: 'a header without a name', bytes: get(': value\r\n') },
  { what: 'a blank in the name of a header', bytes: get('X Broken: value\r\n') },
  { what: 'a blank behind the name of a header', bytes: get('X-Broken : value\r\n') },
  { what: 'a NUL in a header', bytes: get('X-Broken: a\0b\r\n') },
  { what: 'a carriage return in a header', bytes: get('X-NXRepository: default\rSet-Cookie: a=b\r\n') },
  { what: 'a negative length', bytes: post('Content-Length: -1\r\n', body) },
  { what: 'a word for a length', bytes: post('Content-Length: many\r\n', body) },
  { what: 'a length with a tail', bytes: post('Content-Length: 10abc\r\n', body) },
  { what: 'two lengths', bytes: post('Content-Length: 57\r\nContent-Length: 10\r\n', body) },
  { what: 'a list of lengths', bytes: post('Content-Length: 57, 10\r\n', body) },
  { what: 'a length beyond 64 bits', bytes: post('Content-Length: 99999999999999999999\r\n', body) },
  { what: 'a length and chunks', bytes: post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`) },
  { what: 'chunks and a length', bytes: post('Transfer-Encoding: chunked\r\nContent-Length: 3\r\n', `0\r\n\r\n${smuggled}`) },
  { what: 'chunks in another coding', bytes: post('Transfer-Encoding: chunked, identity\r\n', `39\r\n${body}\r\n0\r\n\r\n`) },
  { what: 'chunks by almost the right name', bytes: post('Transfer-Encoding: xchunked\r\n', `39\r\n${body}\r\n0\r\n\r\n`) },
  { what: 'chunks without a size', bytes: chunked(`${body}\r\n0\r\n\r\n`) },
  { what: 'a chunk of no number', bytes: chunked(`zz\r\n${body}\r\n0\r\n\r\n`) },
  { what: 'a negative chunk', bytes: chunked(`-1\r\n${body}\r\n0\r\n\r\n`) },
  { what: 'a chunk beyond 64 bits', bytes: chunked(`fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`) },
  { what: 'a chunk longer than its size', bytes: chunked(`3\r\n${body}\r\n0\r\n\r\n`) },
  { what: 'chunks that stop in the middle', bytes: chunked(`39\r\n${body.slice(0, 20)}`), thenEnd: true },
  { what: 'chunks without an end', bytes: chunked(`39\r\n${body}\r\n`), thenEnd: true },
  { what: 'a body shorter than its length', bytes: post('Content-Length: 5000\r\n', body), thenEnd: true },
  { what: 'headers that stop in the middle', bytes: `GET ${target} HTTP/1.1\r\n${host}Author`, thenEnd: true },
  { what: 'nothing', bytes: '', thenEnd: true },
]
