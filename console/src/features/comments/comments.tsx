import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { addAnnotation, addComment, commentsQuery, useFollowingReplies } from '../../api/comments.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAnnotating } from '../annotations/annotating.tsx'
import { annotatedXpath } from '../annotations/annotation-layer.tsx'
import { type Place, writePlace } from '../annotations/place.ts'
import { Refused } from '../problems/shown.tsx'
import { CommentComposer } from './comment-composer.tsx'
import { CommentThread } from './comment-thread.tsx'
import styles from './comments.module.css'
import { useCommentWords } from './words.ts'

/** What people say about a document and about places in its file, in threads, the latest first. */
export function Comments({ document }: { readonly document: Document }) {
  const say = useCommentWords()
  const id = useId()
  const annotating = useAnnotating()
  const query = useInfiniteQuery(commentsQuery(document.uid, document.uid))
  useFollowingReplies(query)
  const add = useDocumentChange((text: string) => addComment(document.uid, text))
  const annotate = useDocumentChange(({ text, place }: { readonly text: string; readonly place: Place }) =>
    addAnnotation(document.uid, { text, xpath: annotatedXpath, entityId: crypto.randomUUID(), entity: writePlace(place) }),
  )
  if (!(document.facets ?? []).includes('Commentable')) return null
  const draft = annotating?.draft
  const comments = query.data?.pages.flatMap(({ entries }) => entries)
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>
        {say('title')} {comments === undefined ? null : <small>{query.data?.pages[0]?.totalSize}</small>}
      </h2>
      {/* What is written of the whole stays while a place is remarked upon. */}
      <div hidden={draft !== undefined}>
        <CommentComposer label={say('write')} sendLabel={say('send')} send={(text) => add.mutateAsync(text)} />
      </div>
      {draft === undefined ? null : (
        <CommentComposer
          label={say('writeHere')}
          sendLabel={say('sendHere')}
          onCancel={() => annotating?.setDraft(undefined)}
          send={async (text) => {
            const { id: made } = await annotate.mutateAsync({ text, place: draft })
            annotating?.setDraft(undefined)
            annotating?.select(made)
          }}
        />
      )}
      {query.error !== null && comments === undefined ? (
        <Refused error={query.error} onRetry={() => void query.refetch()} />
      ) : comments === undefined ? (
        <Skeleton />
      ) : comments.length === 0 ? (
        <p className={styles.quiet}>{say('empty')}</p>
      ) : (
        <ul className={styles.threads}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <CommentThread documentId={document.uid} comment={comment} />
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage ? (
        <Button look="quiet" onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
          {say('more')}
        </Button>
      ) : null}
    </section>
  )
}
