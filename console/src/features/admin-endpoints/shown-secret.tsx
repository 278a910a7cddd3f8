import { useState } from 'react'
import { renewWebhookSecret } from '../../api/administration/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { useEndpointWords } from './words.ts'

/** What requests are signed with, right after it was made. */
export function ShownSecret({ secret, onClose }: { readonly secret: string; onClose(): void }) {
  const say = useEndpointWords()
  const words = {
    label: say('secret'),
    hint: say('secretHint'),
    copy: say('copy'),
    copied: say('copied'),
    close: say('close'),
  }
  return <ShownOnce secret={secret} words={words} onClose={onClose} />
}

/** Gives a webhook another secret, once that is confirmed, and shows it this once. */
export function RenewSecret({ id }: { readonly id: string }) {
  const say = useEndpointWords()
  const [isAsked, setAsked] = useState(false)
  const renew = useAdministrationChange(() => renewWebhookSecret(id))
  return (
    <>
      <Button onPress={() => setAsked(true)}>{say('renew')}</Button>
      <Confirm
        title={say('renewTitle')}
        sentence={say('renewSentence')}
        words={{ confirm: say('renew'), cancel: say('cancel') }}
        isOpen={isAsked}
        isPending={renew.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() => renew.mutate(undefined, { onSettled: () => setAsked(false) })}
      />
      <Dialog title={say('renew')} isOpen={renew.data !== undefined} onClose={renew.reset}>
        <ShownSecret secret={renew.data?.secret ?? ''} onClose={renew.reset} />
      </Dialog>
    </>
  )
}
