import { actingAs } from '../../core/access.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Services } from '../../rest/services.ts'
import { findMaker } from '../audit/index.ts'
import { isFirstComment, type PlacedComment } from '../comments/index.ts'
import { subscribeWherePossible } from './subscribe.ts'

type People = Pick<Services, 'principals'>

/**
 * Subscribes the author of a document at its first comment, and whoever comments at their own first one. Who has unsubscribed since
 * is not asked again (contract: adapters 5.4).
 */
export function subscribeCommenters(services: People): InlineListener {
  return {
    name: 'subscribeCommenters',
    when: 'inline',
    events: ['commentAdded'],
    // Before subscribers are told, so that the author hears of the first comment as well.
    order: 550,
    async handle({ document: topLevel, properties }, session) {
      const comment = properties['comment_document'] as Document | undefined
      if (comment === undefined) return
      for (const name of await listNewcomers(session, services, { comment, topLevel })) {
        const principal = await services.principals.find(name)
        if (principal !== undefined) await subscribeWherePossible(actingAs(session, principal), topLevel)
      }
    },
  }
}

async function listNewcomers(session: WriteSession, people: People, placed: PlacedComment): Promise<readonly string[]> {
  const commenter = textOf(placed.comment, 'comment:author')
  if (await isFirstComment(session, placed)) {
    const author = await findAuthor(session, people, placed.topLevel)
    return [...new Set([author, commenter])].filter((name) => name !== '')
  }
  return commenter !== '' && (await isFirstComment(session, placed, commenter)) ? [commenter] : []
}

/** Whoever makes a document may name anybody as its creator: only an administrator has others told of what is said about it by that. */
async function findAuthor(session: WriteSession, { principals }: People, document: Document): Promise<string> {
  const author = textOf(document, 'dc:creator')
  const maker = await findMaker(session, document)
  if (maker === undefined || maker === author) return maker ?? ''
  return (await principals.find(maker))?.isAdministrator ? author : ''
}

function textOf({ properties }: Document, name: string): string {
  const value = properties[name]
  return typeof value === 'string' ? value : ''
}
