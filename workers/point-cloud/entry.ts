import { answerCalls } from '../boundary/answer-calls.ts';
import { pointCloudApi } from './api.ts';

answerCalls('point-cloud', pointCloudApi);
