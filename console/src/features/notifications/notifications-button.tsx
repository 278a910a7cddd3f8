import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Bell, BellRing } from 'lucide-react'
import { useState } from 'react'
import { Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import { inboxKey, inboxQuery, markRead, type Notification } from '../../api/notifications.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { useEventNames } from '../history/words.ts'
import { Person } from '../people/person.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './notifications.module.css'
import { useNotificationWords } from './words.ts'

/** Always at hand: what happened to what one watches. What was looked at is no longer new. */
export function NotificationsButton() {
  const say = useNotificationWords()
  const queries = useQueryClient()
  const query = useQuery(inboxQuery)
  const [isOpen, setOpen] = useState(false)
  const unread = query.data?.unreadCount ?? 0
  const read = useMutation({
    mutationFn: markRead,
    onSettled: () => queries.invalidateQueries({ queryKey: inboxKey }),
  })
  const change = (open: boolean) => {
    setOpen(open)
    const newest = query.data?.entries[0]?.id
    // When it is closed: until then the new ones are told apart.
    if (!open && unread > 0 && newest !== undefined) read.mutate(newest)
  }
  const Icon = unread > 0 ? BellRing : Bell
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={change}>
      <Button look="quiet" aria-label={unread > 0 ? say('unread', { count: unread }) : say('title')}>
        <span className={styles.bell} aria-hidden>
          <Icon size={18} />
          {unread > 0 ? <span className={styles.count}>{unread > 99 ? '99+' : unread}</span> : null}
        </span>
      </Button>
      <Popover className={`${styles.popover}`} placement="bottom end" {...unnamed}>
        <Dialog className={`${styles.dialog}`}>
          <Heading slot="title" level={2} className={`${styles.title}`}>
            {say('title')}
          </Heading>
          <Shown query={query} waiting={<Skeleton />}>
            {({ entries }) =>
              entries.length === 0 ? (
                <p className={styles.empty}>{say('empty')}</p>
              ) : (
                <ul className={styles.list}>
                  {entries.map((notification) => (
                    <Line key={notification.id} notification={notification} onOpen={() => change(false)} />
                  ))}
                </ul>
              )
            }
          </Shown>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Line({ notification, onOpen }: { readonly notification: Notification; onOpen(): void }) {
  const say = useNotificationWords()
  const nameOf = useEventNames()
  const navigate = useNavigate()
  const { ago } = useFormats()
  const { event, title, path, principal, date, comment, isRead } = notification
  return (
    <li>
      <button
        type="button"
        className={styles.line}
        data-read={isRead}
        onClick={() => {
          onOpen()
          void navigate({ to: '/browse/$', params: { _splat: (path ?? '').slice(1) } })
        }}
      >
        <Person reference={principal} size="large" isNamed={false} />
        <span className={styles.what}>
          <strong>{title}</strong>
          <span>
            {nameOf(event)} {isRead ? null : <span className="only-read">({say('new')})</span>}
          </span>
          {comment === '' || !event.startsWith('comment') ? null : <span className={styles.said}>{plain(comment)}</span>}
        </span>
        <time className={styles.quiet} dateTime={date}>
          {ago(date)}
        </time>
      </button>
    </li>
  )
}

/** The dialog has the name: one of what lies around it, which the trigger would give, is a text outside of any landmark. */
const unnamed = { 'aria-labelledby': '' }

/** Markup says nothing in one line. */
function plain(text: string): string {
  return /<[a-z/]/i.test(text) ? (new DOMParser().parseFromString(text, 'text/html').body.textContent ?? '') : text
}
