import type { Repository, Session, WriteSession } from '../../core/session.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Rendering } from '../render/rendering.ts'
import type { Services } from '../services.ts'
import type { ApiRequest } from './request.ts'

/** One request being answered: who asks, what was asked, and the two ways to look at the repository. */
export interface Exchange {
  readonly request: ApiRequest
  readonly principal: Principal
  readonly repository: Repository
  readonly services: Services
  readonly rendering: Rendering
  read<Result>(body: (session: Session) => Promise<Result>): Promise<Result>
  /** One transaction. The body may run twice and waits for nothing but the store; what takes time was done before. */
  write<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result>
  /** The same where users, groups and vocabularies live, whatever the repository of the path. */
  readDirectories<Result>(body: (session: Session) => Promise<Result>): Promise<Result>
  writeDirectories<Result>(body: (session: WriteSession) => Promise<Result>): Promise<Result>
  /** Done when the request has been answered or has failed, before the client hears of it. A failure is logged and changes nothing. */
  atEnd(action: () => Promise<void>): void
}

/** As much of an exchange as an answer is made from: what there is, and how the client wants it shown. */
export interface Answering extends Pick<Exchange, 'services' | 'rendering'> {
  readonly request: Pick<ApiRequest, 'method' | 'headers' | 'query' | 'baseUrl'>
}

/** As much of an exchange as there is where work is done that no request waits for. */
export interface Sender extends Pick<Exchange, 'principal' | 'repository' | 'services' | 'read' | 'atEnd'> {
  readonly request: Pick<ApiRequest, 'headers' | 'baseUrl' | 'signal'>
}
