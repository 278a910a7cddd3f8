import type { ServerResponse } from 'node:http'
import type { IncomingRequest } from './incoming-request.ts'

/** A request on its way through the pipeline, and what the stages leave for its answer. */
export class Call {
  readonly request: IncomingRequest
  readonly response: ServerResponse
  readonly id: string
  readonly startedAt = performance.now()
  /** Sent with whatever is answered, errors included: names and values in turn. */
  readonly headers: string[] = []
  /** For the log; undefined until somebody is known. */
  user: string | undefined = undefined
  /** For the log: the declared path of a route, whose variables may be secrets, or the path of a resource. */
  shownPath: string
  /** Known and let in: from here on errors are entities, whatever the client accepts. */
  isAdmitted = false
  /** Answered with an error that nobody caught; what it comes to by itself is sent to nobody. */
  isRefused = false

  constructor(request: IncomingRequest, response: ServerResponse, id: string) {
    this.request = request
    this.response = response
    this.id = id
    this.shownPath = request.path
  }

  addHeader(name: string, value: string): void {
    this.headers.push(name, value)
  }
}
