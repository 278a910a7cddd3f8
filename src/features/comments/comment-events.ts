import { announce } from '../../core/event.ts'
import { eventsOf } from '../../core/event-definition.ts'
import type { InlineListener, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { findTopLevel, isComment, readCommented } from './comment-place.ts'

export const commentCategory = 'commentCategory'

export const commentEvents = eventsOf('after', 'commentAdded commentUpdated commentRemoved')

interface ToldComment {
  readonly comment: Document
  /** The document that the thread is about: the event is about it. */
  readonly topLevel: Document
  /** What the comment is about directly, where that is at hand. */
  readonly commented?: Document
}

/** Tells of a comment on the document that its thread is about, where users subscribe to it (contract: adapters 5.4). */
export async function announceComment(
  session: WriteSession,
  event: 'commentAdded' | 'commentUpdated' | 'commentRemoved',
  { comment, topLevel, commented }: ToldComment,
): Promise<void> {
  const text = comment.properties['comment:text'] ?? null
  await announce(session, event, topLevel, {
    category: commentCategory,
    properties: {
      topLevelDocument: topLevel,
      parentComment: commented ?? (await readCommented(session, comment)),
      comment_document: comment,
      comment: text,
      comment_text: text,
      // What is told later is told without documents.
      commentId: comment.id,
      commentAuthor: comment.properties['comment:author'] ?? null,
    },
  })
}

/** A comment may be removed as any document is; what is below it goes without a word. */
export const tellRemovedComments: InlineListener = {
  name: 'removedComments',
  when: 'inline',
  events: ['documentRemoved'],
  async handle({ document }, session) {
    if (!isComment(session.model, document) || document.isVersion) return
    const topLevel = await findTopLevel(session.asSystem(), document)
    if (topLevel !== undefined) await announceComment(session, 'commentRemoved', { comment: document, topLevel })
  },
}
