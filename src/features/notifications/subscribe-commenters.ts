import { actingAs } from '../../core/access.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Services } from '../../rest/services.ts'
import { isFirstComment, type PlacedComment } from '../comments/index.ts'
import { subscribeWherePossible } from './subscribe.ts'

/**
 * Subscribes the author of a document at its first comment, and whoever comments at their own first one. Who has unsubscribed since
 * is not asked again (contract: adapters 5.4).
 */
export function subscribeCommenters(services: Pick<Services, 'principals'>): InlineListener {
  return {
    name: 'subscribeCommenters',
    when: 'inline',
    events: ['commentAdded'],
    // Before subscribers are told, so that the author hears of the first comment as well.
    order: 550,
    async handle({ document: topLevel, properties }, session) {
      const comment = properties['comment_document'] as Document | undefined
      if (comment === undefined) return
      for (const name of await listNewcomers(session, { comment, topLevel })) {
        const principal = await services.principals.find(name)
        if (principal !== undefined) await subscribeWherePossible(actingAs(session, principal), topLevel)
      }
    },
  }
}

async function listNewcomers(session: WriteSession, placed: PlacedComment): Promise<readonly string[]> {
  const author = textOf(placed.topLevel, 'dc:creator')
  const commenter = textOf(placed.comment, 'comment:author')
  if (await isFirstComment(session, placed)) return [...new Set([author, commenter])].filter((name) => name !== '')
  return commenter !== '' && (await isFirstComment(session, placed, commenter)) ? [commenter] : []
}

function textOf({ properties }: Document, name: string): string {
  const value = properties[name]
  return typeof value === 'string' ? value : ''
}
