import type { IsoDate } from '../../base/iso-date.ts'
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
      for (const { name, moment } of await listNewcomers(session, services, { comment, topLevel })) {
        const principal = await services.principals.findDoer(name, moment)
        if (principal !== undefined) await subscribeWherePossible(actingAs(session, principal), topLevel)
      }
    },
  }
}

/** Somebody who did something at that moment, which may be long ago: whoever has the name since did not. */
interface Doer {
  readonly name: string
  readonly moment: IsoDate
}

async function listNewcomers(session: WriteSession, people: People, placed: PlacedComment): Promise<readonly Doer[]> {
  const name = textOf(placed.comment, 'comment:author')
  const commenters = name === '' ? [] : [{ name, moment: session.now }]
  if (await isFirstComment(session, placed)) {
    const author = await findAuthor(session, people, placed.topLevel)
    return author === undefined || author.name === name ? commenters : [author, ...commenters]
  }
  return name !== '' && (await isFirstComment(session, placed, name)) ? commenters : []
}

/** Whoever makes a document may name anybody as its creator: only an administrator has others told of what is said about it by that. */
async function findAuthor(session: WriteSession, { principals }: People, document: Document): Promise<Doer | undefined> {
  const name = textOf(document, 'dc:creator')
  const maker = await findMaker(session, document)
  if (maker === undefined || maker.name === name) return maker
  const isTrusted = name !== '' && (await principals.find(maker.name))?.isAdministrator === true
  return isTrusted ? { name, moment: maker.moment } : undefined
}

function textOf({ properties }: Document, name: string): string {
  const value = properties[name]
  return typeof value === 'string' ? value : ''
}
