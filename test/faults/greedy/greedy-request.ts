/** A request by which an ordinary user could try to take more of the server than is their share. */
export interface GreedyRequest {
  /** A sentence about what it holds. */
  readonly what: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /**
   * Below `/api/v1`; `<home>` stands for the id of the user's own workspace, `<file>` for that of a large file in it, `<heavy>` for
   * that of a folder of long notes.
   */
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  /** Made when it is sent: some are large. Placeholders are filled as in the path. */
  body?(): string
}

export function get(what: string, path: string, headers: GreedyRequest['headers'] = {}): GreedyRequest {
  return { what, method: 'GET', path, headers }
}

/** JSON that is put together as text: building it as objects would cost the test what it is to cost the server. */
export function sendText(what: string, method: 'POST' | 'PUT', path: string, body: () => string): GreedyRequest {
  return { what, method, path, headers: { 'content-type': 'application/json' }, body }
}

/** A document of the user's own with these properties, as JSON text. */
export function createWith(what: string, properties: () => string, type = 'File'): GreedyRequest {
  return sendText(
    what,
    'POST',
    '/id/<home>',
    () => `{"entity-type":"document","type":"${type}","name":"greedy","properties":{${properties()}}}`,
  )
}

export function operate(what: string, operation: string, call: () => object): GreedyRequest {
  return sendText(what, 'POST', `/automation/${operation}`, () => JSON.stringify(call()))
}

/** The same query through the operation, which takes it in the body: an address of that length is refused before it is read. */
export function search(what: string, query: () => string): GreedyRequest {
  return operate(what, 'Repository.Query', () => ({ params: { query: query() } }))
}

export function repeated(count: number, item: (index: number) => string, separator = ','): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(separator)
}
