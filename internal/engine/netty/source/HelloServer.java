import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An HTTP/1.1 server that answers / with the bytes of a file and /hello with those of another. Its system properties
 * are host, port, threads, transport (nio or epoll), body and hello (files), and, for TLS, cert and key (PEM files).
 */
public final class HelloServer {
	private static final int BACKLOG = 4096;

	private HelloServer() {}

	public static void main(String[] args) throws Exception {
		boolean epoll = property("transport").equals("epoll");
		IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
		Class<? extends ServerChannel> channel = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
		// The loops accept connections as well: so many threads as were asked for, and no more.
		EventLoopGroup loops = new MultiThreadIoEventLoopGroup(Integer.getInteger("threads"), io);
		try {
			new ServerBootstrap().group(loops).channel(channel)
				.option(ChannelOption.SO_BACKLOG, BACKLOG)
				.childHandler(new Pipeline(tls(), content("body"), content("hello")))
				.bind(property("host"), Integer.getInteger("port")).sync().channel().closeFuture().sync();
		} finally {
			loops.shutdownGracefully();
		}
	}

	private static String property(String name) {
		String value = System.getProperty(name);
		if (value == null) {
			throw new IllegalArgumentException("the property " + name + " is not set");
		}
		return value;
	}

	private static SslContext tls() throws Exception {
		String cert = System.getProperty("cert");
		return cert == null ? null : SslContextBuilder.forServer(new File(cert), new File(property("key"))).build();
	}

	/** The bytes of a file, outside the heap, never given back. */
	private static ByteBuf content(String name) throws Exception {
		byte[] bytes = Files.readAllBytes(Path.of(property(name)));
		return Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
	}

	private static final class Pipeline extends ChannelInitializer<SocketChannel> {
		private final SslContext tls;
		private final ByteBuf body;
		private final ByteBuf hello;

		Pipeline(SslContext tls, ByteBuf body, ByteBuf hello) {
			this.tls = tls;
			this.body = body;
			this.hello = hello;
		}

		@Override
		protected void initChannel(SocketChannel c) {
			if (tls != null) {
				c.pipeline().addLast(tls.newHandler(c.alloc()));
			}
			c.pipeline().addLast(new HttpServerCodec(), new Answerer(body, hello));
		}
	}

	/** Answers each request once it has been read to its end. */
	private static final class Answerer extends SimpleChannelInboundHandler<HttpObject> {
		private final ByteBuf body;
		private final ByteBuf hello;
		private String path;
		private boolean stays;

		Answerer(ByteBuf body, ByteBuf hello) {
			this.body = body;
			this.hello = hello;
		}

		@Override
		protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
			if (part.decoderResult().isFailure()) {
				path = null;
				stays = false;
				answer(ctx);
				return;
			}
			if (part instanceof HttpRequest) {
				HttpRequest request = (HttpRequest) part;
				path = request.uri();
				stays = HttpUtil.isKeepAlive(request);
			}
			if (part instanceof LastHttpContent) {
				answer(ctx);
			}
		}

		private void answer(ChannelHandlerContext ctx) {
			FullHttpResponse r = response();
			r.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN);
			r.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, r.content().readableBytes());
			if (stays) {
				ctx.write(r);
				return;
			}
			r.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
			ctx.write(r).addListener(ChannelFutureListener.CLOSE);
		}

		private FullHttpResponse response() {
			if (path == null) {
				return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
			}
			switch (path) {
			case "/hello":
				return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, hello.duplicate());
			case "/":
				return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body.duplicate());
			default:
				return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NOT_FOUND);
			}
		}

		@Override
		public void channelReadComplete(ChannelHandlerContext ctx) {
			ctx.flush();
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
			ctx.close(); // a client that has gone, or speaks no TLS
		}
	}
}
