import { renewWebhookSecret } from '../../api/administration/webhooks.ts'
import { ConfirmedButton } from '../../ui/dialog/confirmed-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
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
  const renew = useAdministrationChange(() => renewWebhookSecret(id))
  return (
    <>
      <ConfirmedButton
        title={say('renewTitle')}
        sentence={say('renewSentence')}
        words={{ confirm: say('renew'), cancel: say('cancel') }}
        isPending={renew.isPending}
        onConfirm={(close) => renew.mutate(undefined, { onSettled: close })}
      >
        {say('renew')}
      </ConfirmedButton>
      <Dialog title={say('renew')} isOpen={renew.data !== undefined} onClose={renew.reset}>
        <ShownSecret secret={renew.data?.secret ?? ''} onClose={renew.reset} />
      </Dialog>
    </>
  )
}
