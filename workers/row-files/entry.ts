import { answerCalls } from '../boundary/answer-calls.ts';
import { createRowFilesApi } from './api.ts';

answerCalls('row-files', createRowFilesApi());
