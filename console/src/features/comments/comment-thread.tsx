import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { MapPin, MessageSquareReply, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { addComment, type Comment, changeComment, commentsQuery, removeComment, useFollowingReplies } from '../../api/comments.ts'
import { meQuery } from '../../api/documents.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmedButton } from '../../ui/dialog/confirmed-button.tsx'
import { FormattedText } from '../../ui/formatted-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useFormats } from '../../words/formats.ts'
import { useAnnotating } from '../annotations/annotating.tsx'
import { findPlace } from '../annotations/place.ts'
import { useAnnotationWords } from '../annotations/words.ts'
import { usePersonName } from '../people/person.tsx'
import { LinkedPerson } from '../people/person-link.tsx'
import { Refused } from '../problems/shown.tsx'
import { CommentComposer } from './comment-composer.tsx'
import styles from './comments.module.css'
import { useCommentWords } from './words.ts'

interface CommentThreadProps {
  readonly documentId: string
  readonly comment: Comment
  /** Under how many others it stands: deeper ones are not moved in further. */
  readonly depth?: number
}

const deepest = 2

/** A comment with what was replied to it. */
export function CommentThread({ documentId, comment, depth = 0 }: CommentThreadProps) {
  const say = useCommentWords()
  const who = usePersonName(comment.author ?? '')
  const [isReplying, setReplying] = useState(false)
  const replies = comment.numberOfReplies ?? 0
  const [isOpen, setOpen] = useState(depth > 0)
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  const reply = useDocumentChange((text: string) => addComment(comment.id, text))
  return (
    <>
      <OneComment documentId={documentId} comment={comment} who={who} onReply={() => setReplying(true)} />
      {replies === 0 ? null : (
        <Button look="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? say('hideReplies') : say('replies', { count: replies })}
        </Button>
      )}
      <div className={depth < deepest ? styles.below : undefined}>
        {/* What is being written to one of them stays while they are hidden. */}
        {wasOpened && replies > 0 ? (
          <div hidden={!isOpen}>
            <Replies documentId={documentId} comment={comment} depth={depth + 1} />
          </div>
        ) : null}
        {isReplying ? (
          <CommentComposer
            label={say('replyTo', { who })}
            sendLabel={say('send_reply')}
            onCancel={() => setReplying(false)}
            send={async (text) => {
              await reply.mutateAsync(text)
              setReplying(false)
              setOpen(true)
            }}
          />
        ) : null}
      </div>
    </>
  )
}

/** As one reads a conversation: the first on top. */
function Replies({ documentId, comment, depth = 0 }: CommentThreadProps) {
  const say = useCommentWords()
  const query = useInfiniteQuery(commentsQuery(documentId, comment.id))
  useFollowingReplies(query)
  if (query.error !== null && query.data === undefined) {
    return <Refused error={query.error} onRetry={() => void query.refetch()} />
  }
  if (query.data === undefined) return <Skeleton />
  const replies = query.data.pages.flatMap(({ entries }) => entries).toReversed()
  return (
    <>
      {query.hasNextPage ? (
        <Button look="quiet" onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
          {say('more')}
        </Button>
      ) : null}
      <ul>
        {replies.map((one) => (
          <li key={one.id}>
            <CommentThread documentId={documentId} comment={one} depth={depth} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface OneCommentProps {
  readonly documentId: string
  readonly comment: Comment
  readonly who: string
  onReply(): void
}

function OneComment({ documentId, comment, who, onReply }: OneCommentProps) {
  const say = useCommentWords()
  const { ago, moment } = useFormats()
  const { data: me } = useQuery(meQuery)
  const annotating = useAnnotating()
  const place = useRef<HTMLElement>(null)
  const [isEdited, setEdited] = useState(false)
  const change = useDocumentChange((text: string) => changeComment(documentId, comment.id, text))
  const isSelected = annotating?.selected === comment.id
  useEffect(() => {
    if (isSelected) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  const isMine = comment.author === me?.id
  const mayRemove = isMine || comment.permissions.includes('Everything')
  const wasChanged = comment.modificationDate !== null && comment.modificationDate !== comment.creationDate
  return (
    <article ref={place} className={styles.comment} data-selected={isSelected}>
      <header className={styles.by}>
        <LinkedPerson reference={comment.author ?? ''} />
        <time dateTime={comment.creationDate ?? ''} title={moment(comment.creationDate)}>
          {ago(comment.creationDate)}
          {wasChanged ? ` · ${say('edited')}` : ''}
        </time>
        <PlaceLink comment={comment} />
      </header>
      {isEdited ? (
        <CommentComposer
          label={say('editOwn')}
          sendLabel={say('save')}
          before={comment.text ?? ''}
          onCancel={() => setEdited(false)}
          send={async (text) => {
            await change.mutateAsync(text)
            setEdited(false)
          }}
        />
      ) : (
        <>
          <FormattedText text={comment.text ?? ''} />
          {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, and no field set of a form */}
          <div className={styles.actions} role="group" aria-label={say('actions', { who })}>
            <Button look="quiet" onPress={onReply}>
              <MessageSquareReply size={14} aria-hidden />
              {say('reply')}
            </Button>
            {isMine ? (
              <Button look="quiet" onPress={() => setEdited(true)}>
                <Pencil size={14} aria-hidden />
                {say('edit')}
              </Button>
            ) : null}
            {mayRemove ? <RemoveButton documentId={documentId} id={comment.id} /> : null}
          </div>
        </>
      )}
    </article>
  )
}

/** Of an annotation: leads to where it belongs. */
function PlaceLink({ comment: { id, entity } }: { readonly comment: Comment }) {
  const sayOfPlaces = useAnnotationWords()
  const say = useCommentWords()
  const annotating = useAnnotating()
  const place = findPlace(entity)
  if (place === undefined || annotating === undefined) return null
  const name = sayOfPlaces('onPage', { page: place.page })
  return (
    <Button
      look="quiet"
      aria-label={say('goTo', { place: name })}
      onPress={() => {
        annotating.setPage(place.page)
        annotating.select(id)
      }}
    >
      <MapPin size={14} aria-hidden />
      {name}
    </Button>
  )
}

function RemoveButton({ documentId, id }: { readonly documentId: string; readonly id: string }) {
  const say = useCommentWords()
  const remove = useDocumentChange(() => removeComment(documentId, id))
  return (
    <ConfirmedButton
      look="quiet"
      title={say('removeTitle')}
      sentence={say('removeSentence')}
      words={{ confirm: say('remove'), cancel: say('cancel') }}
      isPending={remove.isPending}
      onConfirm={(close) =>
        // Not with callbacks of `mutate`: the line may be gone before they are called.
        void remove
          .mutateAsync(undefined)
          .then(
            () => tell({ text: say('removed') }),
            ({ message }: Error) => tell({ kind: 'problem', text: message }),
          )
          .finally(close)
      }
    >
      <Trash2 size={14} aria-hidden />
      {say('remove')}
    </ConfirmedButton>
  )
}
