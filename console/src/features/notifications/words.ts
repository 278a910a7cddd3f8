import { defineWords } from '../../words/words.ts'

export const useNotificationWords = defineWords(
  {
    title: 'Notifications',
    unread: { one: '{count} new notification', other: '{count} new notifications' },
    new: 'new',
    empty: 'Nothing yet. Watch a document or a folder, and what happens there appears here.',
    watch: 'Watch',
    unwatch: 'Stop watching',
    watched: 'You will be told of what happens to {title}',
    unwatched: 'You will no longer be told of {title}',
  },
  {
    title: 'Notifications',
    unread: { one: '{count} nouvelle notification', other: '{count} nouvelles notifications' },
    new: 'nouvelle',
    empty: 'Rien pour le moment. Suivez un document ou un dossier : ce qui s’y passe apparaît ici.',
    watch: 'Suivre',
    unwatch: 'Ne plus suivre',
    watched: 'Vous serez informé de ce qui arrive à {title}',
    unwatched: 'Vous ne serez plus informé de {title}',
  },
)
