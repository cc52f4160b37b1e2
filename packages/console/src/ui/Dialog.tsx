import type { ReactNode } from "react"
import { Dialog as AriaDialog, Heading } from "react-aria-components/Dialog"
import { Modal, ModalOverlay } from "react-aria-components/Modal"

interface Props {
  readonly title: string
  /** It asks before something that cannot be undone. */
  readonly alert?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

export const Dialog = ({ alert = false, children, onClose, title }: Props) => (
  <ModalOverlay
    className="veil"
    isOpen
    isDismissable={!alert}
    onOpenChange={(open) => {
      if (!open) onClose()
    }}
  >
    <Modal className="dialog">
      <AriaDialog role={alert ? "alertdialog" : "dialog"}>
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
