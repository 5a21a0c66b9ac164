// Calls operations by the clients that Viam's API generates for Go, over a connection of Viam's Go library. Each line of
// stdin is a call, each line of stdout its answer, in the order of their ends. Messages are protobuf.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"reflect"
	"sync"

	"go.uber.org/zap"
	datapb "go.viam.com/api/app/data/v1"
	pipelinespb "go.viam.com/api/app/datapipelines/v1"
	datasetpb "go.viam.com/api/app/dataset/v1"
	syncpb "go.viam.com/api/app/datasync/v1"
	apppb "go.viam.com/api/app/v1"
	authpb "go.viam.com/utils/proto/rpc/v1"
	"go.viam.com/utils/rpc"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

type call struct {
	ID       int      `json:"id"`
	Service  string   `json:"service"`
	Method   string   `json:"method"`
	Messages [][]byte `json:"messages"`
}

type answer struct {
	ID       int      `json:"id"`
	Messages [][]byte `json:"messages"`
	// 0: it succeeded
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func main() {
	credentials := rpc.Credentials{Type: rpc.CredentialsTypeAPIKey, Payload: os.Getenv("SIGHTGLASS_KEY")}
	stranger := dial()
	known := dial(rpc.WithEntityCredentials(os.Getenv("SIGHTGLASS_KEY_ID"), credentials))
	clients := map[string]any{
		"proto.rpc.v1.AuthService":                       authpb.NewAuthServiceClient(stranger),
		"viam.app.datasync.v1.DataSyncService":           syncpb.NewDataSyncServiceClient(known),
		"viam.app.data.v1.DataService":                   datapb.NewDataServiceClient(known),
		"viam.app.dataset.v1.DatasetService":             datasetpb.NewDatasetServiceClient(known),
		"viam.app.datapipelines.v1.DataPipelinesService": pipelinespb.NewDataPipelinesServiceClient(known),
		"viam.app.v1.AppService":                         apppb.NewAppServiceClient(known),
		"viam.app.v1.RobotService":                       apppb.NewRobotServiceClient(known),
	}
	fmt.Println("open")
	var oneLine sync.Mutex
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked call
		if err := json.Unmarshal(line, &asked); err != nil {
			log.Fatal(err)
		}
		go func() {
			said := answerTo(asked, clients[asked.Service])
			oneLine.Lock()
			defer oneLine.Unlock()
			if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
				log.Fatal(err)
			}
		}()
	}
}

func dial(more ...rpc.DialOption) rpc.ClientConn {
	options := append(more, rpc.WithInsecure())
	conn, err := rpc.DialDirectGRPC(context.Background(), os.Getenv("SIGHTGLASS_ADDRESS"), zap.NewNop().Sugar(), options...)
	if err != nil {
		log.Fatal(err)
	}
	return conn
}

func answerTo(asked call, client any) answer {
	messages, err := answersOf(reflect.ValueOf(client).MethodByName(asked.Method), asked.Messages)
	said := answer{ID: asked.ID, Messages: make([][]byte, 0, len(messages))}
	if err != nil {
		said.Code, said.Message = int(status.Code(err)), status.Convert(err).Message()
		return said
	}
	for _, message := range messages {
		encoded, err := proto.Marshal(message)
		if err != nil {
			log.Fatal(err)
		}
		said.Messages = append(said.Messages, encoded)
	}
	return said
}

// The three shapes of a generated method: it takes a message and returns one; it takes one and returns a stream that is
// read to its end; it takes none and returns a stream for all of them.
func answersOf(method reflect.Value, messages [][]byte) ([]proto.Message, error) {
	ctx := reflect.ValueOf(context.Background())
	if method.Type().NumIn() == 2 {
		stream, err := result(method.Call([]reflect.Value{ctx}))
		if err != nil {
			return nil, err
		}
		return sendAll(stream, messages)
	}
	message, err := result(method.Call([]reflect.Value{ctx, decoded(messages[0], method.Type().In(1))}))
	if err != nil {
		return nil, err
	}
	if one, isMessage := message.Interface().(proto.Message); isMessage {
		return []proto.Message{one}, nil
	}
	return receiveAll(message)
}

func sendAll(stream reflect.Value, messages [][]byte) ([]proto.Message, error) {
	send := stream.MethodByName("Send")
	for _, message := range messages {
		sent := send.Call([]reflect.Value{decoded(message, send.Type().In(0))})
		// The end of the stream is no error by itself: why it ended comes with the answer.
		if err, _ := sent[0].Interface().(error); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	last, err := result(stream.MethodByName("CloseAndRecv").Call(nil))
	if err != nil {
		return nil, err
	}
	return []proto.Message{last.Interface().(proto.Message)}, nil
}

func receiveAll(stream reflect.Value) ([]proto.Message, error) {
	var received []proto.Message
	for {
		message, err := result(stream.MethodByName("Recv").Call(nil))
		if errors.Is(err, io.EOF) {
			return received, nil
		}
		if err != nil {
			return nil, err
		}
		received = append(received, message.Interface().(proto.Message))
	}
}

func result(returned []reflect.Value) (reflect.Value, error) {
	err, _ := returned[1].Interface().(error)
	return returned[0], err
}

// A message of the generated type that a method takes.
func decoded(encoded []byte, pointer reflect.Type) reflect.Value {
	message := reflect.New(pointer.Elem())
	if err := proto.Unmarshal(encoded, message.Interface().(proto.Message)); err != nil {
		log.Fatal(err)
	}
	return message
}
