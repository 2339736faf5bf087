import { useMutation } from '@tanstack/react-query';
import { useToasts } from '../../components/feedback/toast.js';

/** The outcome of a command: done, or queued until the instance handles it. */
interface CommandAnswer {
  status?: string;
  /** Details of the outcome. */
  message?: string;
}

/**
 * A command to an instance. When the host accepts it, a toast confirms it and the screen fetches its data again. When
 * the host rejects it, `error` holds the reason.
 *
 * @param done the sentence, in the past
 */
export function useCommand<Input>(
  done: string,
  run: (input: Input) => Promise<CommandAnswer | undefined>,
  onSuccess?: () => void,
) {
  const toasts = useToasts();
  return useMutation({
    mutationFn: run,
    onSuccess: (answer) => {
      const more = answer?.message ? ` ${answer.message}.` : '';
      toasts.done(
        answer?.status === 'PENDING' ? 'Accepted. It takes effect when the instance processes it.' : `${done}${more}`,
      );
      onSuccess?.();
    },
  });
}
