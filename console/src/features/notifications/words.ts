import { defineWords } from '../../words/words.ts'

export const useNotificationWords = defineWords(
  {
    watch: 'Watch',
    unwatch: 'Stop watching',
    watched: 'You will be told of what happens to {title}',
    unwatched: 'You will no longer be told of {title}',
  },
  {
    watch: 'Suivre',
    unwatch: 'Ne plus suivre',
    watched: 'Vous serez informé de ce qui arrive à {title}',
    unwatched: 'Vous ne serez plus informé de {title}',
  },
)
