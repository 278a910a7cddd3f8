import { defineWords } from '../../words/words.ts'

export const useSynchronisationWords = defineWords(
  {
    start: 'Synchronise',
    stop: 'Stop synchronising',
    within: 'Synchronised with {title}',
    withinUnknown: 'Synchronised with a folder above',
    started: 'Your desktop clients synchronise {title}',
    stopped: 'Your desktop clients no longer synchronise {title}',
    hint: 'Your desktop clients have these folders on your own machines.',
    none: 'You synchronise no folder. Choose “Synchronise” on one.',
    off: 'This server synchronises no folders.',
    stopNamed: 'Stop synchronising {title}',
  },
  {
    start: 'Synchroniser',
    stop: 'Ne plus synchroniser',
    within: 'Synchronisé avec {title}',
    withinUnknown: 'Synchronisé avec un dossier au-dessus',
    started: 'Vos clients de bureau synchronisent {title}',
    stopped: 'Vos clients de bureau ne synchronisent plus {title}',
    hint: 'Vos clients de bureau ont ces dossiers sur vos propres machines.',
    none: 'Vous ne synchronisez aucun dossier. Choisissez « Synchroniser » sur l’un d’eux.',
    off: 'Ce serveur ne synchronise aucun dossier.',
    stopNamed: 'Ne plus synchroniser {title}',
  },
)
