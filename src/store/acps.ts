import type { IsoDate } from '../base/iso-date.ts'
import type { Document, DocumentId } from '../model/document.ts'
import type { Ace, Acl } from '../model/rights/acl.ts'

/** An effective list of entries, own and inherited, stored once for all documents it decides about. Never changes. */
export interface Acp {
  readonly id: number
  readonly aces: readonly Ace[]
}

export interface OwnAcls {
  readonly documentId: DocumentId
  readonly acls: readonly Acl[]
}

export interface AcpReader {
  find(id: number): Promise<Acp | undefined>
  /** The ids of the lists that decide about documents, by theirs; those that do not exist are left out. */
  listDeciding(documentIds: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, number>>
  /** All lists with a higher id, ascending: what appeared since one last looked. */
  listAfter(id: number): Promise<readonly Acp[]>
  /** What has ACLs of its own at or below a path. */
  listOwn(path: string): Promise<readonly OwnAcls[]>
  /** Documents that have an entry of their own for a user or group, so many of them. */
  listNaming(username: string, limit: number): Promise<readonly DocumentId[]>
  /** The same for any of the names, by path: a page of them, and how many there are, one more than `countLimit` when there are more. */
  pageNaming(
    usernames: readonly string[],
    page: { readonly offset: number; readonly limit: number; readonly countLimit: number },
  ): Promise<{ readonly documents: readonly Document[]; readonly total: number }>
  /**
   * Documents with an entry of their own whose status is another at `until` than it was at `after`: it began or ended in between.
   * Spans that follow one another leave nothing out and have nothing twice.
   */
  listTurned(after: IsoDate, until: IsoDate): Promise<readonly Document[]>
}

export interface AcpWriter extends AcpReader {
  /** The id of the list with these entries, storing it when it is new. */
  intern(aces: readonly Ace[]): Promise<number>
  /** Gives the document new own ACLs and computes the effective lists of everything below it anew. */
  replaceAcls(document: Document, acls: readonly Acl[]): Promise<void>
  /** Takes all rights from the versions of live documents that are gone: nothing decides about them any more. */
  clearVersions(seriesIds: readonly DocumentId[]): Promise<void>
}
