import type { Session } from '../core/session.ts'
import type { Document } from '../model/document.ts'

/** Something that a user interface offers: a button, a tab, a link. The server only says which of them there are for whom. */
export interface UiAction {
  readonly id: string
  /** Where interfaces ask for it: `DOCUMENT_ACTIONS`, `USER_MENU` … */
  readonly categories: readonly string[]
  readonly link?: string
  readonly icon?: string
  readonly label?: string
  readonly help?: string
  readonly properties?: { readonly [name: string]: string }
  /** Whether the session's principal is offered it, for the document at hand if there is one; always when absent. */
  isOffered?(session: Session, document: Document | undefined): boolean | Promise<boolean>
}
