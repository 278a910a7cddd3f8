/** An error as OpenSearch answers it. */
export class EngineRefusal extends Error {
  readonly status: number
  readonly type: string

  constructor(status: number, type: string, reason: string) {
    super(reason)
    this.status = status
    this.type = type
  }

  body(): object {
    const error = { type: this.type, reason: this.message }
    return { error: { root_cause: [error], ...error }, status: this.status }
  }
}

export const notFound = (index: string) => new EngineRefusal(404, 'index_not_found_exception', `no such index [${index}]`)
export const unparsed = (reason: string) => new EngineRefusal(400, 'parsing_exception', reason)
export const illegal = (reason: string) => new EngineRefusal(400, 'illegal_argument_exception', reason)
