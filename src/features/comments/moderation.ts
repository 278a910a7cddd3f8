import { defineChain } from '../../automation/chain.ts'
import { defineOperation } from '../../automation/operation.ts'
import { required } from '../../automation/parameter.ts'
import { defineProblem } from '../../base/problem.ts'
import { followTransition } from '../../core/documents/lifecycle/follow-transition.ts'
import { announce } from '../../core/event.ts'
import { hasPermission } from '../../core/permissions.ts'
import { commentCategory } from './comment-events.ts'
import { isComment } from './comment-place.ts'

const notAComment = defineProblem(
  'notAComment',
  'invalid',
  (of: { id: string; type: string }) => `${of.id} is a document of type ${of.type}. Only comments are moderated.`,
)

/** Publishes a comment or rejects it: by whoever may moderate, or change the state of, what the comment is about. */
export const moderateComment = defineOperation({
  id: 'Comment.Moderate',
  category: 'Document',
  description: 'Publishes comments that wait for it, or rejects them.',
  effect: 'writes',
  params: { accept: required('boolean', { description: 'True publishes, false rejects' }) },
  run: ({ each }) => [
    each('document', 'document', async (comment, { session, params: { accept } }) => {
      if (!isComment(session.model, comment)) throw notAComment({ id: comment.id, type: comment.type })
      const mayModerate = await hasPermission(session, comment, 'Moderate')
      const transition = accept ? 'moderation_publish' : 'moderation_reject'
      const moderated = await followTransition(mayModerate ? session.asSystem() : session, comment.id, transition)
      await announce(session, 'comments_moderation', moderated ?? comment, { category: commentCategory, comment: transition })
      return moderated ?? comment
    }),
  ],
})

const moderationChain = (id: string, description: string, accept: boolean) =>
  defineChain({ id, description, steps: [{ operation: 'Comment.Moderate', params: { accept } }] })

/** Chains that applications call by these names (contract: operations 1.12). */
export const moderationChains = [
  moderationChain('acceptComment', 'Publishes a comment that waits for it.', true),
  moderationChain('rejectComment', 'Rejects a comment that waits to be published.', false),
]
